import type { ChangeLine } from '@cairn/gateway-contracts'
import { commandData, PlanTerms } from '@cairn/ledger-contracts'
import { z } from 'zod'
import type { Dependencies } from '../../platform/dependencies.ts'
import {
  type ChangeDefinition,
  executeCommand,
  toMoneyLine,
  toTextLine,
} from '../change-requests/index.ts'
import { storeSource } from './plan-source.ts'

const PPM_OF_A_PERCENT = 10_000

/** The command that defines the plan, with its source of return. */
const PlanPayload = z.strictObject({
  type: z.literal('DefinePlan'),
  data: commandData.DefinePlan,
  effectiveAt: z.null(),
  /**
   * The source of return to store with this version; null to store nothing. `text` is null if the
   * administrator gave no source.
   */
  source: z.strictObject({ text: z.string().nullable() }).nullable(),
})
export type PlanPayload = z.infer<typeof PlanPayload>

/**
 * Creates the definition of the change that adds a plan or increases the operator's debt under a
 * plan.
 */
export function createPlanChange(
  deps: Pick<Dependencies, 'ledger'>,
): ChangeDefinition<PlanPayload> {
  const read = async (planId: string) => {
    const { plans } = await deps.ledger.ask('plans', { includeArchived: true })
    return plans.find((plan) => plan.planId === planId) ?? null
  }
  return {
    kind: 'plan',
    payload: PlanPayload,
    permission: { propose: 'plans.write', approve: 'plans.write' },
    isNeeded: 'always',
    getTarget: ({ data: { planId } }) => planId,
    getTitle: ({ data: { terms } }) => `Plan ${terms.name ?? 'without a name'}`,
    getLink: () => '/manage/admin/plans',
    listBeneficiaries: () => [],
    hasCommand: () => true,
    readBefore: async (_db, { data: { planId } }) => {
      const plan = await read(planId)
      return plan === null ? null : { ...plan, definedAt: undefined }
    },
    describeChange: async ({ data: { terms }, source }, before) => [
      ...toLines(PlanTerms.nullable().parse(before), terms),
      ...(source === null ? [] : [toTextLine('Source of the return', { after: source.text })]),
    ],
    execute: async (change) => {
      const { trx, payload, createdBy, approvedBy, approvedAtMs, nowMs } = change
      const { source, ...command } = payload
      const { event } = await executeCommand(deps, change, command)
      if (source === null) return
      const version = Number(event.data.version)
      const stated = {
        planId: command.data.planId,
        version,
        text: source.text,
        statedBy: createdBy,
      }
      await storeSource(trx, { ...stated, nowMs, approvedBy, approvedAtMs })
    },
  }
}

function toLines(before: PlanTerms | null, after: PlanTerms): ChangeLine[] {
  const formatPercent = (ppm: number) => `${ppm / PPM_OF_A_PERCENT}%`
  const texts: readonly (readonly [string, (terms: PlanTerms) => string | null])[] = [
    ['Name', ({ name }) => name],
    ['Duration', ({ duration, unit }) => `${duration} ${unit}`],
    ['Profit', ({ profitPpm }) => formatPercent(profitPpm)],
    ['Referral bonus', ({ referralBonusPpm }) => formatPercent(referralBonusPpm)],
    ['Principal returns', ({ returnPrincipal }) => (returnPrincipal ? 'Yes' : 'No')],
    ['Offered', ({ isArchived }) => (isArchived ? 'No' : 'Yes')],
  ]
  const lines = [
    ...texts.map(([label, read]) =>
      toTextLine(label, { before: before === null ? null : read(before), after: read(after) }),
    ),
    toMoneyLine('Minimum', { before: before?.minimumMinor ?? null, after: after.minimumMinor }),
    toMoneyLine('Maximum', { before: before?.maximumMinor ?? null, after: after.maximumMinor }),
  ]
  return lines.filter((line) => before === null || line.before !== line.after)
}
