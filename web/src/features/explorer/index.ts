export { describeEvent } from './describe-event.ts'
export { explorerQueries, useStartVerification } from './queries.ts'
