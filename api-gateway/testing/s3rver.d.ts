/** Types for the part of the package that tests use. The package has no types itself. */
declare module '@20minutes/s3rver' {
  // biome-ignore lint/style/noDefaultExport: the package has a default export
  export default class S3rver {
    constructor(options: {
      port: number
      address: string
      silent: boolean
      directory: string
      configureBuckets: readonly { name: string }[]
    })
    run(): Promise<unknown>
    close(): Promise<void>
  }
}
