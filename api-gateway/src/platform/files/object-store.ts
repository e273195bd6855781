import { S3mini } from 's3mini'

const TIMEOUT_MS = 10_000

/** Bytes by name, outside the database. */
export interface ObjectStore {
  put(name: string, bytes: Buffer, mediaType: string): Promise<void>
  get(name: string): Promise<Buffer | null>
  remove(name: string): Promise<void>
}

export interface ObjectStoreOptions {
  /** With the bucket as its path: `https://s3.example.com/cairn-files`. */
  url: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** Any store that speaks S3. */
export function createObjectStore(options: ObjectStoreOptions): ObjectStore {
  const { url: endpoint, region, accessKeyId, secretAccessKey } = options
  const bucket = new S3mini({
    endpoint,
    region,
    accessKeyId,
    secretAccessKey,
    requestAbortTimeout: TIMEOUT_MS,
  })
  return {
    put: async (name, bytes, mediaType) => {
      await bucket.putObject(name, bytes, mediaType)
    },
    get: async (name) => {
      const found = await bucket.getObjectArrayBuffer(name)
      return found === null ? null : Buffer.from(found)
    },
    remove: async (name) => {
      await bucket.deleteObject(name)
    },
  }
}
