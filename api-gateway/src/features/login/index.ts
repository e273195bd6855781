// What other features use of this one.
export { leaveBrowser } from './routes.ts'
