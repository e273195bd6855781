const SHOWN = 4

/**
 * Keeps only the last digits of an account number, so that other people cannot read the whole
 * number from the screen.
 */
export function maskNumber(number: string): string {
  return number.length <= SHOWN ? number : `•••• ${number.slice(-SHOWN)}`
}
