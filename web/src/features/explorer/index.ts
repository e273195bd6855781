export { describeEvent } from './describe-event.ts'
export { explorerQueries } from './queries.ts'
