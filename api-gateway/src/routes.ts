import type { Logger } from 'pino'
import { bankRoutes } from './banks/routes.ts'
import { countryRoutes } from './countries/routes.ts'
import type { Dependencies } from './dependencies.ts'
import { createBlobStore } from './files/blob-store.ts'
import type { Route } from './http/registry.ts'
import { investmentRoutes } from './investments/routes.ts'
import { paymentOptionRoutes } from './payment-options/routes.ts'
import { planRoutes } from './plans/routes.ts'
import { reserveRoutes } from './reserve/routes.ts'
import { settingsRoutes } from './settings/routes.ts'
import { statsRoutes } from './stats/routes.ts'
import { transactionRoutes } from './transactions/routes.ts'
import { registrationRoutes } from './users/registration-routes.ts'
import { userRoutes } from './users/routes.ts'
import { sessionRoutes } from './users/session-routes.ts'

/** Every call of api/v1. */
export function allRoutes(deps: Dependencies, log: Logger): readonly Route[] {
  const blobs = createBlobStore({ db: deps.db, dailyScale: deps.rateLimitScale })
  return [
    ...countryRoutes(),
    ...settingsRoutes(deps),
    ...registrationRoutes(deps, log),
    ...sessionRoutes(deps, log),
    ...userRoutes(deps),
    ...bankRoutes(deps),
    ...planRoutes(deps),
    ...paymentOptionRoutes(deps, blobs),
    ...transactionRoutes(deps, blobs),
    ...investmentRoutes(deps),
    ...statsRoutes(deps),
    ...reserveRoutes(deps),
  ]
}
