export { findCountryCode, getCountryName } from './countries.ts'
