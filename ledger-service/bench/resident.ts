import { readFile } from 'node:fs/promises'

/** Returns the resident memory of a process in MB of 1,000,000 bytes. */
export async function readResidentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const kilobytes = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1])
  return (kilobytes * 1_024) / 1_000_000
}
