const SHOWN = 4

/** The end of an account number, by which its owner knows it; whoever looks over the shoulder does not. */
export function maskNumber(number: string): string {
  return number.length <= SHOWN ? number : `•••• ${number.slice(-SHOWN)}`
}
