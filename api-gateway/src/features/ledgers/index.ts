export { requireCopied } from './site-ledgers.ts'
