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
    const failed = answers.filter(({ outcome }) => outcome !== 'recorded').length
    log.info({ due: investmentIds.length, failed }, 'referral bonuses paid')
    // Refusals are not errors. Either another run paid the bonus, or the clock of the ledger is
    // behind.
    if (failed > 0) throw new Error(`${failed} referral bonuses failed and stay due`)
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
