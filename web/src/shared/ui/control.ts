/** The classes of every text input. */
export const CONTROL =
  'w-full rounded-card border border-line-strong bg-surface px-3 text-16 text-ink transition-colors duration-150 placeholder:text-muted hover:border-ink disabled:cursor-not-allowed disabled:border-line disabled:bg-sunken disabled:text-muted aria-invalid:border-declined'
