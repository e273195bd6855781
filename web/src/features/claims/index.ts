export { type Claim, publicClaimQueries } from './public-queries.ts'
