import { editPlan, listAllPlans } from '@cairn/gateway-contracts'
import { DEMO_ADMIN } from './people.ts'
import { ELITE, GROWTH, HOURLY, PRO, STARTER } from './plans.ts'
import { signIn } from './site-client.ts'

/** The source of return of each plan. The businesses are fictional, and each text says so. */
const SOURCES: ReadonlyMap<string | null, string> = new Map([
  [STARTER.name, 'Sample: interest on loans to three invented bakeries, paid back monthly.'],
  [GROWTH.name, 'Sample: rent of an invented warehouse, let to one tenant until 2030.'],
  [PRO.name, 'Sample: sale of electricity from an invented solar park at a fixed price.'],
  [ELITE.name, 'Sample: building and selling of twelve invented flats, half of them sold.'],
  [HOURLY.name, 'Sample: fees of an invented currency desk, counted every hour.'],
])

/** Adds the source of return to each plan that lacks it, as an administrator does. */
export async function addPlanSources(gatewayUrl: string): Promise<void> {
  const admin = await signIn(gatewayUrl, DEMO_ADMIN)
  const { plans } = await admin.call(listAllPlans)
  for (const { id, version, name, isRateWarned, source } of plans) {
    const sourceOfReturn = SOURCES.get(name)
    if (!isRateWarned || source !== null || sourceOfReturn === undefined) continue
    await admin.call(editPlan, { params: { id }, query: { version }, body: { sourceOfReturn } })
  }
}
