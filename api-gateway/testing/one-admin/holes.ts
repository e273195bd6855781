import type { ParsedRequestOf, saveAdminSettings } from '@cairn/gateway-contracts'
import type { LedgerClient } from '@cairn/ledger-contracts'
import { saveSettings } from '../../src/features/settings/save.ts'
import type { Dependencies } from '../../src/platform/dependencies.ts'
import { type Exchange, getCaller, type Route } from '../../src/platform/http/registry.ts'
import type { Sabotage } from './world.ts'

/**
 * Sabotaged variants of the platform. Each variant disables one check, so the test must find a
 * violation.
 */
export const HOLES: Readonly<Record<string, Sabotage>> = {
  'the ledger does not check reversals': { ledgerHole: 'reversals are not checked' },
  'the ledger does not add up small acts': { ledgerHole: 'small acts are not added up' },
  'the ledger does not check the threshold': { ledgerHole: 'the threshold is not checked' },
  'an own approval counts, and the ledger receives a second name': {
    alterRoute: (deps) =>
      replaceHandler('POST', '/admin/approvals/:id/approve', approveAsColleague(deps)),
  },
  'the settings are saved without a look at weakened fields': {
    alterRoute: (deps) => replaceHandler('POST', '/admin/settings', saveSettingsAlone(deps)),
  },
  'the gateway believes that one administrator is enough': {
    alterDeps: (deps) => ({ ...deps, ledger: reportSingleControl(deps.ledger) }),
  },
}

type Handle = (route: Route) => Route['handle']

function replaceHandler(method: string, path: string, handle: Handle): (route: Route) => Route {
  return (route) => {
    const isMeant = route.endpoint.method === method && route.endpoint.path === path
    return isMeant ? { ...route, handle: handle(route) } : route
  }
}

/** Sabotage: runs each call in the name of a different administrator than the caller. */
function approveAsColleague({ db }: Dependencies): Handle {
  return ({ handle }) =>
    async (request, exchange) => {
      const caller = getCaller(exchange)
      const { id: userId } = await db
        .selectFrom('identity.user')
        .select('id')
        .where('role', '=', 'admin')
        .where('id', '!=', caller.userId)
        .limit(1)
        .executeTakeFirstOrThrow()
      return handle(request, { ...exchange, caller: { ...caller, userId } })
    }
}

function saveSettingsAlone(deps: Dependencies): Handle {
  return () => async (request, exchange: Exchange) => {
    // The cast is safe because the pipeline has parsed the request with this endpoint's schema.
    const { body } = request as ParsedRequestOf<typeof saveAdminSettings>
    const { ip, requestId, nowMs } = exchange
    const saving = { admin: getCaller(exchange), ip, requestId, nowMs, isDualControl: false }
    await saveSettings(deps, body, saving)
    throw new Error('the settings are saved; the answer does not matter')
  }
}

/** Creates a ledger that enforces dual control but reports the mode `single`. */
function reportSingleControl(ledger: LedgerClient): LedgerClient {
  const ask: LedgerClient['ask'] = async (name, request) => {
    const answer = await ledger.ask(name, request)
    return name === 'controls' ? { ...answer, mode: 'single' } : answer
  }
  return { ...ledger, ask }
}
