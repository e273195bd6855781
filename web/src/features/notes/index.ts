export { getUserDetailQuery, type UserDetail } from './queries.ts'
export { ReviewerNotes } from './reviewer-notes.tsx'
export { UserNotes } from './user-notes.tsx'
