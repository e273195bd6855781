// The exports for other features.
export { findCountryCode, getCountryName as countryName } from './countries.ts'
