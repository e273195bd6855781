import { createMediaQueryHook } from './media-query.ts'

/** Returns true if the window is too narrow for a table of five columns. */
export const useNarrowScreen = createMediaQueryHook('(max-width: 767px)')

/**
 * Returns true below the breakpoint `lg`, where a page has one column and the sidebar covers the
 * page.
 */
export const useSingleColumn = createMediaQueryHook('(max-width: 1023px)')
