import type { Command, Id, LedgerClient } from '@cairn/ledger-contracts'
import type { Clock } from '@cairn/service-kit/clock'
import type { Logger } from 'pino'

const CHUNK = 500

/** Pays the referral bonuses that are due. */
export async function payDueBonuses({
  ledger,
  clock,
  log,
}: {
  ledger: Pick<LedgerClient, 'ask' | 'submitBriefly'>
  clock: Clock
  log: Logger
}): Promise<void> {
  for (;;) {
    const now = new Date(clock.now()).toISOString()
    const { investmentIds } = await ledger.ask('dueBonuses', { now, limit: CHUNK })
    if (investmentIds.length === 0) return
    const answers = await ledger.submitBriefly(investmentIds.map(toBonusCommand))
    const count = (wanted: string) => answers.filter(({ outcome }) => outcome === wanted).length
    const [paid, failed] = [count('recorded'), count('failed')]
    log.info({ due: investmentIds.length, paid, failed }, 'referral bonuses paid')
    if (failed > 0) throw new Error(`${failed} referral bonuses failed and stay due`)
    // Refusals are not errors: either another run paid the bonuses, or the clock of the ledger is
    // behind. The next run pays the bonuses that are still due.
    if (paid === 0) return
  }
}

function toBonusCommand(investmentId: Id): Command {
  return {
    type: 'PayReferralBonus',
    data: { investmentId },
    actor: 'system:referrals',
    key: null,
    requestId: null,
    effectiveAt: null,
  }
}
