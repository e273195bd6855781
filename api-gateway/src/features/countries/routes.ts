import { listCountries } from '@cairn/gateway-contracts'
import { type Route, route } from '../../platform/http/registry.ts'
import { COUNTRIES } from './countries.ts'

export function createCountryRoutes(): readonly Route[] {
  return [
    route(listCountries, { rate: 'read', owner: 'any', audit: null }, async () => ({
      countries: [...COUNTRIES],
    })),
  ]
}
