export { findCountryCode, getCountryName as countryName } from './countries.ts'
