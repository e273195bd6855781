import { listCountries } from '@cairn/gateway-contracts'
import { declareRoute, type Route } from '../../platform/http/registry.ts'
import { COUNTRIES } from './countries.ts'

export function createCountryRoutes(): readonly Route[] {
  return [
    declareRoute(listCountries, { rate: 'read', owner: 'any', audit: null }, async () => ({
      countries: [...COUNTRIES],
    })),
  ]
}
