import type { Settings } from './site-settings.ts'

/** The name of a site whose operator chose none. The build writes this name into all pages. */
export const DEFAULT_SITE_NAME = 'Cairn'

/**
 * Reads the name of the site. If the settings cannot be read, the pages must still be served, so
 * that they can say so; they then have the default name.
 */
export async function readSiteName(settings: Settings): Promise<string> {
  try {
    return (await settings.read()).general.siteName
  } catch {
    return DEFAULT_SITE_NAME
  }
}
