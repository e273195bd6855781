import { createId } from '@cairn/ledger-contracts'
import { measureBytesPerRow } from './books.ts'
import { openPostingFunction } from './posting-function.ts'
import { type Bench, createComparison, measure, measureAlternately, type Side } from './row.ts'
import type { BenchServer } from './server.ts'
import { TEXTBOOK_CLIENTS } from './textbook.ts'
import { createTransfer } from './transfer-model.ts'
import { ACCOUNTS, openFunctionSide, openTransferSide } from './transfers.ts'

const HOT_ACCOUNT = 0
const TRANSFERS = 5
const LEGS_PER_TRANSFER = 2
const LEGS = TRANSFERS * LEGS_PER_TRANSFER
const EVENTS_IN_FLIGHT = 1_000
/** The function with ten legs a call is slower with 20 clients. */
const CALL_CLIENTS = 8
/** The queue of the writer has room for the commands of all groups. */
const GROUPS_IN_FLIGHT = 500

type Own = 'event' | 'group'
type Against = 'each' | 'call'

const NAMES: Readonly<Record<Own | Against, string>> = {
  event: `events of ${TRANSFERS} transfers (${LEGS} legs), 1,000 in flight, one hot account`,
  group: `${TRANSFERS} linked commands (${LEGS} legs), 500 groups in flight, one hot account`,
  each: `PL/pgSQL function, a call for each transfer, ${TEXTBOOK_CLIENTS} clients`,
  call: `PL/pgSQL function, ${LEGS} legs a call, ${CALL_CLIENTS} clients`,
}

/** The required ratios. */
const BARS: readonly { own: Own; against: Against; bar: number }[] = [
  { own: 'event', against: 'each', bar: 20 },
  { own: 'event', against: 'call', bar: 4 },
  { own: 'group', against: 'each', bar: 8 },
  { own: 'group', against: 'call', bar: 2 },
]

/**
 * Measures the postings of five transfers that are recorded together, each from the hot account to
 * another account: as one event, and as five linked commands, which are recorded as five events.
 * The bytes are those of ten postings.
 */
export const linkedTransferBench: Bench = {
  title: 'linked transfers',
  run: async (server, { seconds, report }) => {
    const sides = await openSides(server)
    const programs = { own: 'writer and clients', children: 'others', postmaster: server.pid }
    const rates = await measureAlternately(
      seconds,
      {
        each: sides.each.measureRate,
        call: sides.call.measureRate,
        event: sides.event.measureRate,
        group: sides.group.measureRate,
      },
      programs,
    )
    for (const { own, against, bar } of BARS) {
      const comparison = createComparison({
        name: NAMES[own],
        unit: 'postings/s',
        value: rates[own].perSecond,
        p99Ms: rates[own].p99Ms ?? 0,
        shares: rates[own].shares,
        bytesPerEvent: await sides[own].measureBytes(),
        baseline: NAMES[against],
        baselineValue: rates[against].perSecond,
        baselineP99Ms: rates[against].p99Ms ?? 0,
        baselineBytesPerEvent: await sides[against].measureBytes(),
        bar,
      })
      report([comparison])
    }
    for (const side of Object.values(sides)) await side.close()
  },
}

async function openSides(server: BenchServer): Promise<Record<Own | Against, Side>> {
  const each = await openFunctionSide(server, { isHot: true, batch: 1 })
  const event = await openTransferSide(server, EVENTS_IN_FLIGHT, ({ send }) =>
    send([createTransfer(HOT_ACCOUNT, pickCredits())], 'interactive'),
  )
  const group = await openTransferSide(server, GROUPS_IN_FLIGHT, ({ sendLinked }) => {
    const commands = pickCredits().map((credit) => createTransfer(HOT_ACCOUNT, [credit]))
    return sendLinked(commands, 'interactive')
  })
  return {
    each: countPostings(each, { perCall: LEGS_PER_TRANSFER, perRow: LEGS_PER_TRANSFER }),
    call: countPostings(await openCallSide(server), { perCall: LEGS, perRow: LEGS }),
    event: countPostings(event, { perCall: LEGS, perRow: LEGS }),
    group: countPostings(group, { perCall: LEGS, perRow: LEGS_PER_TRANSFER }),
  }
}

/** Returns a side that counts postings, and the bytes of `LEGS` postings. */
function countPostings(side: Side, { perCall, perRow }: { perCall: number; perRow: number }): Side {
  return {
    measureRate: async (seconds) => {
      const rate = await side.measureRate(seconds)
      return { ...rate, perSecond: rate.perSecond * perCall }
    },
    measureBytes: async () => ((await side.measureBytes()) / perRow) * LEGS,
    close: side.close,
  }
}

async function openCallSide(server: BenchServer): Promise<Side> {
  const { url } = await server.createDatabase()
  const clients = CALL_CLIENTS
  const { post, close } = await openPostingFunction(url, { accounts: ACCOUNTS, clients })
  return {
    measureRate: (seconds) =>
      measure({ inFlight: clients, seconds }, () => {
        const moves = pickCredits().flatMap((credit) => [
          { account: HOT_ACCOUNT, amount: -100 },
          { account: credit, amount: 100 },
        ])
        return post(moves, createId(Date.now()))
      }),
    measureBytes: () => measureBytesPerRow(url, { schema: 'postings', table: 'event' }),
    close,
  }
}

function pickCredits(): readonly number[] {
  return Array.from({ length: TRANSFERS }, () => 1 + Math.floor(Math.random() * (ACCOUNTS - 1)))
}
