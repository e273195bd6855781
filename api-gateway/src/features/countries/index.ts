// The exports for other features.
export { countryName, findCountryCode } from './countries.ts'
