import { statfs } from 'node:fs/promises'

export interface DiskSpace {
  /** The space that a process without special rights can still use. */
  readonly freeBytes: number
  readonly totalBytes: number
}

/** Reads the space of the file system that contains `folder`; null if the folder cannot be read. */
export async function readDiskSpace(folder: string): Promise<DiskSpace | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  } catch {
    return null
  }
}

/** Creates the gauge of the disk with a folder. A folder that cannot be read has no value. */
export const createDiskGauge = (name: string, folder: string) => ({
  name: 'cairn_disk_free_ratio',
  help: 'Free part of the disk with a folder, from 0 to 1',
  label: 'folder',
  read: async (): Promise<ReadonlyMap<string, number>> => {
    const space = await readDiskSpace(folder)
    return new Map(space === null ? [] : [[name, space.freeBytes / space.totalBytes]])
  },
})
