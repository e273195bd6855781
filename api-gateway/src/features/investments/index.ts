export { computeForecast } from './forecast.ts'
export { toInvestment, toProgress } from './investment.ts'
export { listActiveInvestments, listPage } from './list.ts'
export { toAdminInvestments } from './routes.ts'
