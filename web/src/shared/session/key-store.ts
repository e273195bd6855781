const STORED_AS = 'cairn.log-keys'

/** Stores the keys of the log as text. If storage is not available, the browser keeps no keys. */
export const keyStore = {
  read: (): string | null => {
    try {
      return window.localStorage.getItem(STORED_AS)
    } catch {
      return null
    }
  },
  write: (text: string): void => {
    try {
      window.localStorage.setItem(STORED_AS, text)
    } catch {
      // Without storage, the next page trusts the keys that the server then offers.
    }
  },
}

/**
 * Runs a call whose answer makes the browser delete its stored data. Keeps the trusted keys.
 * Without them, the browser would trust any signing key after each logout.
 */
export async function runWithKeptKeys<Answer>(run: () => Promise<Answer>): Promise<Answer> {
  const kept = keyStore.read()
  try {
    return await run()
  } finally {
    if (kept !== null) keyStore.write(kept)
  }
}
