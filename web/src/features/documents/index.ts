export { StatementsTab } from './documents-tab.tsx'
