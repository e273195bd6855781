import { useQuery } from '@tanstack/react-query'

import { settingsQueries } from '../settings/index.ts'

/** Tells whether the site shows demo data; false until the settings have loaded. */
export function useIsDemo(): boolean {
  return useQuery(settingsQueries.readPublic()).data?.isDemo === true
}
