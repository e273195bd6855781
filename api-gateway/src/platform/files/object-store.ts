import { S3mini } from 's3mini'

const TIMEOUT_MS = 10_000

/** Stores bytes by name, outside of the database. */
export interface ObjectStore {
  put(name: string, bytes: Buffer, mediaType: string): Promise<void>
  get(name: string): Promise<Buffer | null>
  remove(name: string): Promise<void>
}

export interface ObjectStoreOptions {
  /** The URL of the bucket, for example `https://s3.example.com/cairn-files`. */
  url: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** Creates a client for an object store with the S3 API. */
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
