export function printLink(publicUrl: string, path: string): void {
  print(`Open within a day: ${publicUrl}${path}`)
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

export function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
