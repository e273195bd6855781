export { publicEndorsementQueries } from './public-queries.ts'
