import { setTimeout as delay } from 'node:timers/promises'
import type { Settings } from './site-settings.ts'

/** The name of a site whose operator chose none. The build writes this name into all pages. */
export const DEFAULT_SITE_NAME = 'Cairn'
/** A page does not wait longer for its name while the database is slow. */
const WAIT_MS = 200

/**
 * Returns a function that reads the name of the site. If the settings cannot be read in time, the
 * pages must still be served, so that they can say so; they then have the last known name.
 */
export function createSiteNameReader(settings: Pick<Settings, 'read'>): () => Promise<string> {
  let known = DEFAULT_SITE_NAME
  return () => {
    const reading = settings.read().then(
      ({ general }) => {
        known = general.siteName
        return known
      },
      () => known,
    )
    return Promise.race([reading, delay(WAIT_MS, undefined, { ref: false }).then(() => known)])
  }
}
