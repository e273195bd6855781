import type { ScorecardRow } from './scorecard-rows.ts'

const scenario = (file: string) => `ledger-service/test/${file}`

/** Promises about background work: profit, mail and interruption. */
export const WORK_ROWS: readonly ScorecardRow[] = [
  {
    id: 'T15',
    name: '600 periods due, two workers, twelve kill -9',
    bar: '600 effects, 0 twice, 0 missing',
    file: scenario('exactly-once.faults.test.ts'),
    title: 'T15',
    control: { name: 'a worker with a list of its own', title: 'a worker that pays from a list' },
  },
  {
    id: 'T16',
    name: 'a worker stopped in mid-run, also past the expiry of its job; another does it, the first wakes up',
    bar: '2 overlapping runs or attempts, 1 effect each',
    file: scenario('exactly-once.faults.test.ts'),
    title: 'T16',
    control: { name: 'a worker with a list of its own', title: 'a worker that pays from a list' },
  },
  {
    id: 'T17',
    name: 'clocks that jump: a month down, back two hours, a year on, leap day, daylight saving',
    bar: 'the closed form to the cent for every investment',
    file: scenario('clock-jumps.db.test.ts'),
    title: 'T17 clocks that jump down',
    control: { name: 'runs counted', title: 'T17 clocks that jump a worker that counts' },
  },
  {
    id: 'T17b',
    name: 'the clock of running processes jumps: leap day, daylight saving, end of a year, back, a year on',
    bar: 'the closed form to the cent, nothing twice',
    file: scenario('live-clock.faults.test.ts'),
    title: 'T17 processes whose clock jumps',
    control: {
      name: 'a worker whose clock stands still',
      title: 'a worker whose clock does not jump',
    },
  },
  {
    id: 'T20',
    name: 'mails of committed rows, with a process dying between every two steps',
    bar: '0 lost, 0 of what was rolled back, a second copy only as the same message',
    file: 'api-gateway/src/platform/mail/outbox-atomicity.db.test.ts',
    title: 'T20 the outbox sends',
    control: { name: 'crossed off first', title: 'T20 the outbox that crosses' },
  },
  {
    id: 'T24',
    name: 'the database absent at boot, its connections cut every 2 s, stopped and started under load',
    bar: '0 processes ended, 0 unhandled, well within 5 s, workers go on',
    file: 'e2e/src/database-loss.faults.test.ts',
    title: 'T24 the database goes away absent',
    control: {
      name: 'a pool that hears no errors',
      title: 'T24 the database goes away and takes a process along',
    },
  },
  {
    id: 'T25',
    name: 'the network between gateway and ledger swallows, resets, delays, drops one in ten, changes bytes; the ledger is stopped in its tracks',
    bar: 'each call answered within 5 s, 0 cents wrong, well within 5 s',
    file: 'e2e/src/ledger-network.faults.test.ts',
    title: 'T25 the network between gateway and ledger fails',
    control: {
      name: 'a client that forgets its key',
      title: 'T25 the network between gateway and ledger with a client',
    },
  },
  {
    id: 'T25b',
    name: 'bytes that change between gateway and ledger',
    bar: '0 cents wrong',
    file: 'e2e/src/ledger-network.faults.test.ts',
    title: 'T25 the network between gateway and ledger fails',
    control: {
      name: 'calls without a digest',
      title: 'T25 the network between gateway and ledger with a gateway that sends no digest',
    },
  },
  {
    id: 'T58',
    name: 'two instances of each part, stopped and started in turn under load',
    bar: '0 acknowledged lost, at most 0.1 % of calls fail, each ends within 10 s, no job waits',
    file: 'e2e/src/rolling-restart.faults.test.ts',
    title: 'T58 two instances of each part are',
    control: {
      name: 'a gateway that does not wait',
      title: 'T58 two instances of each part with a gateway',
    },
  },
]
