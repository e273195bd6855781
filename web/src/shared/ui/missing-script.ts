/** Tells whether the browser could not load a script of the page. */
export function isScriptMissing(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|module script/i.test(error.message)
}
