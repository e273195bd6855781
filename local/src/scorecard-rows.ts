/** A promise, the tests that show it, and the sabotaged twin that shows the tests could fail. */
export interface ScorecardRow {
  readonly id: string
  readonly name: string
  readonly bar: string
  readonly file: string
  /** A prefix of test titles; all tests of the file if omitted. */
  readonly title?: string
  readonly control: { readonly name: string; readonly file?: string; readonly title: string } | null
  readonly seeds?: number
}

const ledger = (file: string) => `ledger-service/src/${file}`
const scenario = (file: string) => `ledger-service/test/${file}`

export const SCORECARD: readonly ScorecardRow[] = [
  {
    id: 'T1',
    name: 'acknowledged postings survive kill -9 of PostgreSQL',
    bar: '0 lost',
    file: scenario('postgres-crash.faults.test.ts'),
    title: 'PostgreSQL killed',
    control: { name: 'synchronous_commit = off', title: 'with synchronous_commit off' },
  },
  {
    id: 'T1b',
    name: 'acknowledged postings survive kill -9 of the ledger, each applied once',
    bar: '0 lost, 0 twice',
    file: scenario('durability.faults.test.ts'),
    title: 'five kill -9',
    control: { name: 'a client that forgets its key', title: 'a client that forgets its key' },
  },
  {
    id: 'T1c',
    name: 'a full disk loses nothing acknowledged',
    bar: '0 lost',
    file: scenario('disk-full.faults.test.ts'),
    control: {
      name: 'an error is taken for a commit',
      title: 'a full disk that is taken for a commit',
    },
  },
  {
    id: 'T2',
    name: 'each command at each crash point: one effect, one answer',
    bar: '100 % of points',
    file: scenario('crash-points.db.test.ts'),
    title: 'a process that dies',
    control: { name: 'keys are not looked up', title: 'a writer that does not look keys up' },
  },
  {
    id: 'T2b',
    name: 'each command at each crash point of a process that is really killed',
    bar: '100 % of points: one effect, the same answer bytes',
    file: scenario('crash-process.faults.test.ts'),
    title: 'a service killed',
    control: { name: 'a client that forgets its key', title: 'a client that forgets its key' },
  },
  {
    id: 'T3',
    name: '1,000 withdrawals at once on two writers spend the balance once',
    bar: 'exactly 10 of 1,000',
    file: scenario('double-spend.db.test.ts'),
    title: '1,000 withdrawals',
    control: { name: 'no fence', title: 'the same without the fence' },
  },
  {
    id: 'T4',
    name: 'every read of all balances adds up while PostgreSQL, the service and the network fail',
    bar: '0 wrong reads, 0 negative, at least 34 reads a second',
    file: scenario('bank.faults.test.ts'),
    title: 'every read',
    control: { name: 'a read in two statements', title: 'a reader that takes two statements' },
  },
  {
    id: 'T5',
    name: 'one key a hundred times at once is one event',
    bar: '1 effect, one answer, other content refused',
    file: scenario('poison.db.test.ts'),
    title: 'one key a hundred times',
    control: { name: 'the same without a key is a hundred', title: 'one key a hundred times' },
  },
  {
    id: 'T6',
    name: 'answers lost around the commit: nothing twice, nothing forgotten',
    bar: '0 wrong, at least 30 % had committed',
    file: scenario('lost-answer.db.test.ts'),
    control: { name: 'unknown taken for failed', title: 'a writer that takes every lost answer' },
  },
  {
    id: 'T7',
    name: '500 requests, each approved and declined twice at once',
    bar: 'exactly 500 decisions',
    file: scenario('double-approval.db.test.ts'),
    title: '500 withdrawals',
    control: { name: 'no fence', title: 'without the fence' },
  },
  {
    id: 'T8',
    name: 'what a superuser changes is named',
    bar: 'every kind of change found',
    file: ledger('proofs/tampering.db.test.ts'),
    control: { name: 'an untouched log has no problems', title: 'an untouched log' },
  },
  {
    id: 'T9',
    name: 'the log makes every projection again as it stands',
    bar: 'every row equal',
    file: ledger('proofs/rebuild.db.test.ts'),
    title: 'the log alone',
    control: { name: 'a changed projection is found', title: 'what was changed in a projection' },
  },
  {
    id: 'T12',
    name: 'deterministic simulation of the real writer',
    bar: '0 violations',
    file: scenario('simulation/simulation.test.ts'),
    title: 'the writer in a simulated world keeps',
    control: {
      name: 'each planted bug within 200 seeds',
      title: 'the writer in a simulated world notices',
    },
    seeds: 200,
  },
  {
    id: 'T13',
    name: 'the service over HTTP does what a small reference of all the rules does',
    bar: '0 of 1,000 runs of up to 50 commands differ',
    file: scenario('reference-model.db.test.ts'),
    control: { name: 'a threshold one cent too late', title: 'a threshold that begins' },
  },
  {
    id: 'T14',
    name: '10,000 hostile amounts in every money field',
    bar: '0 taken, 0 server errors',
    file: scenario('amounts.db.test.ts'),
    title: '10000 hostile',
    control: { name: 'a coercing schema takes at least 7', title: 'a schema that coerces' },
  },
  {
    id: 'T19',
    name: 'no service role may change the log',
    bar: 'all refused',
    file: ledger('proofs/append-only.db.test.ts'),
    title: 'the service role has no right',
    control: { name: 'a guard switched off is seen', title: 'what a superuser changes' },
  },
  {
    id: 'T21',
    name: 'a follower that restarts misses nothing of sixteen writers',
    bar: '0 missed, 0 out of order of 15,000',
    file: scenario('subscriber.db.test.ts'),
    title: 'a follower that restarts',
    control: { name: 'the same over a serial column', title: 'a follower of a serial column' },
  },
  {
    id: 'T22',
    name: 'withdrawals hold what they ask for, and release exactly that',
    bar: 'holds never above the balance, late actions refused',
    file: ledger('domain/withdrawals/holds.db.test.ts'),
    control: { name: 'the hold is forgotten', title: 'a ledger that forgets the hold' },
  },
  {
    id: 'T24',
    name: 'connections cut in mid-commit: every command answered, recorded once',
    bar: '0 unanswered, 0 twice',
    file: scenario('lost-connection.faults.test.ts'),
    control: {
      name: 'a cut is taken for a commit',
      title: 'a writer that takes a cut for a commit',
    },
  },
  {
    id: 'T33',
    name: 'every action in every state of requests, investments and investors',
    bar: 'only the listed edges',
    file: ledger('domain/states.test.ts'),
    control: { name: 'a decided request taken for pending', title: 'a rule book that takes' },
  },
  {
    id: 'T46',
    name: 'movements both ways on two writers: no deadlock',
    bar: '0 deadlocks, 0 left to the caller',
    file: scenario('deadlock.db.test.ts'),
    title: '1000 movements',
    control: { name: 'row locks in either order', title: 'row locks taken' },
  },
  {
    id: 'fence',
    name: 'a lost fence keeps a batch out of every table',
    bar: '11 of 11 tables',
    file: ledger('log/fence.db.test.ts'),
    control: { name: 'each table once without the fence', title: 'a lost fence' },
  },
  {
    id: 'takeover',
    name: 'the active instance is killed: the other takes over',
    bar: 'within 2 seconds',
    file: scenario('election.faults.test.ts'),
    title: 'when the active one is killed',
    control: { name: 'a lock that outlives its holder', title: 'a lock that outlives' },
  },
  {
    id: 'refusal to start',
    name: 'a ledger that was put back, rewritten or unguarded does not start',
    bar: 'every case refused',
    file: ledger('proofs/checkpoints.db.test.ts'),
    title: 'the service refuses to start',
    control: { name: 'all is well', title: 'the service refuses to start on nothing' },
  },
  {
    id: 'month end',
    name: 'each ended month is signed once and verifies',
    bar: 'no other amount, month or file is taken',
    file: ledger('proofs/month-end.db.test.ts'),
    control: { name: 'changed notes', title: 'no changed amount' },
  },
  {
    id: 'poison',
    name: 'one and twenty poisonous commands: only they fail',
    bar: 'all others recorded',
    file: scenario('poison.db.test.ts'),
    control: {
      name: 'bad data taken for a lost connection',
      title: 'a writer that takes bad data',
    },
  },
]
