import type { ScorecardRow } from './scorecard-rows.ts'

const formatScenarioPath = (file: string) => `ledger-service/test/${file}`

/** The rows of the scorecard about background work: profit, mail and interruption. */
export const WORK_ROWS: readonly ScorecardRow[] = [
  {
    id: 'T15',
    name: '600 due units, two workers, twelve kill -9',
    bar: '600 accruals, 0 twice, 0 missing',
    file: formatScenarioPath('exactly-once.faults.test.ts'),
    title: 'T15',
    control: {
      name: 'a worker that keeps its own list of due units',
      title: 'sabotaged twin: a worker that pays from a list',
    },
  },
  {
    id: 'T16',
    name: 'a paused worker resumes after another worker ran its job',
    bar: '2 overlapping runs, 1 accrual a unit',
    file: formatScenarioPath('exactly-once.faults.test.ts'),
    title: 'T16',
    control: {
      name: 'a worker that keeps its own list of due units',
      title: 'sabotaged twin: a worker that pays from a list',
    },
  },
  {
    id: 'T17',
    name: 'clock jumps: a month of downtime, two hours back, a year ahead, leap day, daylight saving',
    bar: 'profit equals the closed form to the cent for every investment',
    file: formatScenarioPath('clock-jumps.db.test.ts'),
    title: 'T17 clocks that jump stopped',
    control: {
      name: 'a worker that counts its runs',
      title: 'T17 clocks that jump sabotaged twin',
    },
  },
  {
    id: 'T17b',
    name: 'clock jumps in running processes: leap day, daylight saving, year end, back, a year ahead',
    bar: 'profit equals the closed form to the cent, no unit twice',
    file: formatScenarioPath('live-clock.faults.test.ts'),
    title: 'T17 processes whose clock jumps',
    control: {
      name: 'a worker with a stopped clock',
      title: 'sabotaged twin: a worker whose clock does not jump',
    },
  },
  {
    id: 'T18',
    name: 'the data directory destroyed under load, restored from a backup and the received log',
    bar: '0 of 20,000 acknowledged lost, recovered within a minute, also to a chosen event; verify finds nothing',
    file: 'e2e/src/zero-loss-restore.faults.test.ts',
    title: 'T18 a database server that is destroyed under load is restored',
    control: {
      name: 'the archive without the received log',
      title: 'T18 a database server that is destroyed under load sabotaged twin',
    },
  },
  {
    id: 'T20',
    name: 'mails of committed rows, with a crash between every two steps',
    bar: '0 lost, 0 for rolled-back rows, duplicates only with the same message id',
    file: 'api-gateway/src/platform/mail/outbox-atomicity.db.test.ts',
    title: 'T20 the outbox sends',
    control: {
      name: 'a mail is marked as sent before it is sent',
      title: 'T20 the outbox sabotaged twin',
    },
  },
  {
    id: 'T24',
    name: 'database missing at start, connections cut every 2 s, restarts under load',
    bar: '0 processes ended, 0 unhandled errors, recovery within 5 s, workers continue',
    file: 'e2e/src/database-loss.faults.test.ts',
    title: 'T24 the database is unavailable at boot',
    control: {
      name: 'a pool without an error handler',
      title: 'T24 the database is unavailable sabotaged twin',
    },
  },
  {
    id: 'T25',
    name: 'network faults between gateway and ledger: silence, resets, delays, 10 % loss, changed bytes, a paused ledger',
    bar: 'each call answered within 5 s, 0 cents wrong, recovery within 5 s',
    file: 'e2e/src/ledger-network.faults.test.ts',
    title: 'T25 the network between gateway and ledger fails',
    control: {
      name: 'a client that sends no idempotency key',
      title: 'T25 the network between gateway and ledger sabotaged twin: a client',
    },
  },
  {
    id: 'T25b',
    name: 'bytes changed between gateway and ledger',
    bar: '0 cents wrong',
    file: 'e2e/src/ledger-network.faults.test.ts',
    title: 'T25 the network between gateway and ledger fails',
    control: {
      name: 'calls without a digest',
      title:
        'T25 the network between gateway and ledger sabotaged twin: a gateway that sends no digest',
    },
  },
  {
    id: 'T44',
    name: 'ten times the load that gateway and ledger can carry',
    bar: 'goodput at least 80 % of the peak, accepted p99 at most 5 times that of the peak, the rest 429 or 503, normal within 10 s, memory at most +20 %',
    file: 'e2e/src/overload.faults.test.ts',
    title: 'T44 ten times the load that the platform can carry is',
    control: {
      name: 'a gateway that refuses nothing',
      title: 'T44 ten times the load that the platform can carry sabotaged twin',
    },
  },
  {
    id: 'T58',
    name: 'rolling restart of two instances of each part under load',
    bar: '0 acknowledged lost, at most 0.1 % of calls fail, each part stops within 10 s, no job is left waiting',
    file: 'e2e/src/rolling-restart.faults.test.ts',
    title: 'T58 two instances of each part are',
    control: {
      name: 'a gateway that does not drain',
      title: 'T58 two instances of each part sabotaged twin',
    },
  },
  {
    id: 'T58b',
    name: 'the previous version beside this one, rolled forward and back under load',
    bar: '0 calls failed, 0 payments lost, both versions verify the ledger',
    file: 'e2e/src/two-versions.faults.test.ts',
    title: 'T58b the previous version beside this one is',
    control: {
      name: 'a previous version that names a member of events differently',
      title: 'T58b the previous version beside this one sabotaged twin',
    },
  },
  {
    id: 'T43',
    name: 'a log of 100,000 events migrated in use, to the next version and back',
    bar: '0 payments failed or lost, no wait of more than 2 s between two payments, hashes and balances equal',
    file: 'e2e/src/live-migration.faults.test.ts',
    title: 'T43 a platform in use is migrated',
    control: {
      name: 'a migration that locks the events; a migration that renames a column in use',
      title: 'T43 a platform in use sabotaged twin',
    },
  },
  {
    id: 'T59',
    name: 'two minutes of payments with a random fault every ten seconds; an hour in npm run torture',
    bar: '0 payments lost, balances sum to zero, no dead job, open files at most +10 %, in an hour also memory',
    file: 'e2e/src/soak.faults.test.ts',
    title: 'T59 a platform with a random fault every ten seconds keeps',
    control: {
      name: 'a changed balance, and memory that grows',
      title: 'T59 a platform with a random fault every ten seconds sabotaged twin',
    },
  },
  {
    id: 'T60',
    name: 'the list of packages, versions and secrets of the repository',
    bar: 'each package that runs is listed with a hash, 0 below their floor, 0 secrets',
    file: 'local/src/supply-chain.test.ts',
    title: 'T60 supply chain',
    control: {
      name: 'planted packages and secrets',
      title: 'T60 supply chain sabotaged twin',
    },
  },
  {
    id: 'T60b',
    name: 'the deciders with one place changed at a time',
    bar: 'the unit tests notice at least 85 % of 150 changes',
    file: 'ledger-service/test/mutation/mutation.test.ts',
    title: 'T60 changed deciders are noticed',
    control: {
      name: 'the tests of another decider',
      title: 'T60 changed deciders sabotaged twin',
    },
  },
]
