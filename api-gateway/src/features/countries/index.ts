// What other features use of this one.
export { countryName, findCountryCode } from './countries.ts'
