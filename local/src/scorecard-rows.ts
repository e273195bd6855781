/**
 * A claim about the platform, the tests that prove it, and the sabotaged twin. The twin breaks one
 * part of the code, to prove that the tests can fail.
 */
export interface ScorecardRow {
  readonly id: string
  readonly name: string
  readonly bar: string
  readonly file: string
  /**
   * Selects the tests of the file whose titles begin with this text. By default, all tests of the
   * file are selected.
   */
  readonly title?: string
  readonly control: { readonly name: string; readonly file?: string; readonly title: string } | null
  readonly seeds?: number
}

const formatLedgerPath = (file: string) => `ledger-service/src/${file}`
const formatScenarioPath = (file: string) => `ledger-service/test/${file}`

export const SCORECARD: readonly ScorecardRow[] = [
  {
    id: 'T1',
    name: 'acknowledged postings survive kill -9 of PostgreSQL',
    bar: '0 lost',
    file: formatScenarioPath('postgres-crash.faults.test.ts'),
    title: 'PostgreSQL killed',
    control: {
      name: 'synchronous_commit = off',
      title: 'sabotaged twin: with synchronous_commit off',
    },
  },
  {
    id: 'T1b',
    name: 'acknowledged postings survive kill -9 of the ledger, each applied once',
    bar: '0 lost, 0 recorded twice',
    file: formatScenarioPath('durability.faults.test.ts'),
    title: 'five kills',
    control: {
      name: 'a client that sends no idempotency key',
      title: 'sabotaged twin: a client that forgets its key',
    },
  },
  {
    id: 'T40',
    name: 'a full disk loses no acknowledged posting, and the ledger writes again by itself',
    bar: '0 lost of 50,000 or more, 30 s',
    file: formatScenarioPath('disk-full.faults.test.ts'),
    control: {
      name: 'an error counts as a commit',
      title: 'a full disk sabotaged twin',
    },
  },
  {
    id: 'T41',
    name: 'a disk that fails to write loses no acknowledged posting',
    bar: '0 lost, nothing twice',
    file: formatScenarioPath('failed-fsync.faults.test.ts'),
    control: {
      name: 'synchronous_commit off',
      title: 'a disk that fails to write sabotaged twin',
    },
  },
  {
    id: 'T2',
    name: 'each command at each crash point: one effect, one answer',
    bar: '100 % of points',
    file: formatScenarioPath('crash-points.db.test.ts'),
    title: 'a process that crashes',
    control: {
      name: 'the writer does not look up idempotency keys',
      title: 'sabotaged twin: a writer that looks up no keys',
    },
  },
  {
    id: 'T2b',
    name: 'each command at each crash point, with kill -9 of the process',
    bar: '100 % of points: one effect, the same answer bytes',
    file: formatScenarioPath('crash-process.faults.test.ts'),
    title: 'a service killed',
    control: {
      name: 'a client that sends no idempotency key',
      title: 'sabotaged twin: a client that forgets its key',
    },
  },
  {
    id: 'T3',
    name: '1,000 concurrent withdrawals on two writers do not overdraw the balance',
    bar: 'exactly 10 of 1,000',
    file: formatScenarioPath('double-spend.db.test.ts'),
    title: '1,000 withdrawals',
    control: { name: 'no fencing', title: 'sabotaged twin: without the fence' },
  },
  {
    id: 'T4',
    name: 'balances always sum to zero while PostgreSQL, the service and the network fail',
    bar: '0 wrong reads, 0 negative, at least 34 reads a second',
    file: formatScenarioPath('bank.faults.test.ts'),
    title: 'every read',
    control: {
      name: 'a reader that uses two statements',
      title: 'sabotaged twin: a reader that uses two statements',
    },
  },
  {
    id: 'T5',
    name: '100 concurrent commands with one idempotency key record one event',
    bar: '1 event, one answer, other content refused',
    file: formatScenarioPath('poison.db.test.ts'),
    title: 'one key a hundred times',
    control: { name: 'without a key, 100 events', title: 'one key a hundred times' },
  },
  {
    id: 'T6',
    name: 'answers lost around the commit: each command recorded at most once, none lost',
    bar: '0 wrong; at least 30 % had committed',
    file: formatScenarioPath('lost-answer.db.test.ts'),
    control: {
      name: 'an unknown outcome counts as a failure',
      title: 'sabotaged twin: a writer that treats every lost answer',
    },
  },
  {
    id: 'T7',
    name: '500 requests, each with concurrent approvals and declines',
    bar: 'exactly 500 decisions',
    file: formatScenarioPath('double-approval.db.test.ts'),
    title: '500 withdrawals',
    control: { name: 'no fencing', title: 'sabotaged twin: without the fence' },
  },
  {
    id: 'T8',
    name: 'verify names what a superuser changed',
    bar: 'every kind of change found',
    file: formatLedgerPath('proofs/tampering.db.test.ts'),
    control: { name: 'an unchanged log has no findings', title: 'an untouched log' },
  },
  {
    id: 'T9',
    name: 'rebuilt projections equal the stored ones',
    bar: 'every row equal',
    file: formatLedgerPath('proofs/rebuild.db.test.ts'),
    title: 'every stored projection',
    control: { name: 'a changed projection is found', title: 'a change in a projection' },
  },
  {
    id: 'T12',
    name: 'deterministic simulation of the real writer',
    bar: '0 violations',
    file: formatScenarioPath('simulation/simulation.test.ts'),
    title: 'the writer in a simulated world keeps',
    control: {
      name: 'each planted bug is found within 200 seeds',
      title: 'the writer in a simulated world notices',
    },
    seeds: 200,
  },
  {
    id: 'T13',
    name: 'the service over HTTP agrees with an independent reference model of the rules',
    bar: '0 of 1,000 runs of up to 50 commands differ',
    file: formatScenarioPath('reference-model.db.test.ts'),
    control: {
      name: 'a minimum deposit that is too high',
      title: 'sabotaged twin: ',
    },
  },
  {
    id: 'T14',
    name: '10,000 invalid amounts in every money field',
    bar: '0 accepted, 0 server errors',
    file: formatScenarioPath('amounts.db.test.ts'),
    title: '10000 hostile',
    control: {
      name: 'a coercing schema accepts at least 7',
      title: 'sabotaged twin: a schema that coerces',
    },
  },
  {
    id: 'T19',
    name: 'no database role of a service can change the log',
    bar: 'all refused',
    file: formatLedgerPath('proofs/append-only.db.test.ts'),
    title: 'the service role has no right',
    control: { name: 'a disabled trigger is found', title: 'the check names a change' },
  },
  {
    id: 'T21',
    name: 'a restarting follower receives every event of 16 writers in order',
    bar: '15,000 events: 0 missed, 0 out of order',
    file: formatScenarioPath('subscriber.db.test.ts'),
    title: 'a follower that restarts',
    control: {
      name: 'a follower of a serial column',
      title: 'sabotaged twin: a follower of a serial column',
    },
  },
  {
    id: 'T22',
    name: 'withdrawals hold the requested amount and release exactly that amount',
    bar: 'holds never exceed the balance; late actions refused',
    file: formatLedgerPath('domain/withdrawals/holds.db.test.ts'),
    control: {
      name: 'no hold at the request',
      title: 'sabotaged twin: a ledger that forgets the hold',
    },
  },
  {
    id: 'T24',
    name: 'connections cut during commits: every command answered and recorded once',
    bar: '0 unanswered, 0 recorded twice',
    file: formatScenarioPath('lost-connection.faults.test.ts'),
    control: {
      name: 'a cut connection counts as a commit',
      title: 'sabotaged twin: a writer that treats a lost connection',
    },
  },
  {
    id: 'T33',
    name: 'every action in every state of requests, investments and investors',
    bar: 'only the listed transitions',
    file: formatLedgerPath('domain/states.test.ts'),
    control: { name: 'a decided request counts as pending', title: 'a rule book that takes' },
  },
  {
    id: 'T46',
    name: 'opposite transfers on two writers do not deadlock',
    bar: '0 deadlocks, 0 retries by the caller',
    file: formatScenarioPath('deadlock.db.test.ts'),
    title: '1000 movements',
    control: { name: 'row locks in either order', title: 'sabotaged twin: row locks taken' },
  },
  {
    id: 'fence',
    name: 'a batch of a fenced writer changes no table',
    bar: 'every table',
    file: formatLedgerPath('log/fence.db.test.ts'),
    control: { name: 'each table without fencing', title: 'a lost fence' },
  },
  {
    id: 'takeover',
    name: 'a passive instance takes over when the active one is killed',
    bar: 'within 2 seconds',
    file: formatScenarioPath('election.faults.test.ts'),
    title: 'when the active instance is killed',
    control: {
      name: 'a lock that outlives its holder',
      title: 'sabotaged twin: a lock that outlives',
    },
  },
  {
    id: 'refusal to start',
    name: 'the service does not start on a restored, rewritten or unprotected log',
    bar: 'every case refused',
    file: formatLedgerPath('proofs/checkpoints.db.test.ts'),
    title: 'the start of the service is refused',
    control: { name: 'a sound log starts', title: 'the start of the service succeeds' },
  },
  {
    id: 'month end',
    name: 'each ended month is signed once and verifies',
    bar: 'a changed amount, month or file is rejected',
    file: formatLedgerPath('proofs/month-end.db.test.ts'),
    control: { name: 'changed notes', title: 'no changed amount' },
  },
  {
    id: 'poison',
    name: '1 and 20 commands that cannot be processed fail alone',
    bar: 'all others recorded',
    file: formatScenarioPath('poison.db.test.ts'),
    control: {
      name: 'invalid data counts as a lost connection',
      title: 'sabotaged twin: a writer that treats bad data',
    },
  },
]
