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
import { userAdminRoutes } from './users/admin-routes.ts'
import { mfaRoutes } from './users/mfa-routes.ts'
import { passwordRoutes } from './users/password-routes.ts'
import { profileRoutes } from './users/profile-routes.ts'
import { registrationRoutes } from './users/registration-routes.ts'
import { userRoutes } from './users/routes.ts'
import { sessionListRoutes } from './users/session-list-routes.ts'
import { sessionRoutes } from './users/session-routes.ts'

/** Every call of api/v1. */
export function allRoutes(deps: Dependencies, log: Logger): readonly Route[] {
  const blobs = createBlobStore({ db: deps.db, dailyScale: deps.rateLimitScale })
  return [
    ...countryRoutes(),
    ...settingsRoutes(deps),
    ...registrationRoutes(deps, log),
    ...sessionRoutes(deps, log),
    ...mfaRoutes(deps),
    ...passwordRoutes(deps, log),
    ...profileRoutes(deps),
    ...sessionListRoutes(deps),
    ...userAdminRoutes(deps),
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
