/** The part of the test server's interface that the tests use; it comes without types. */
declare module '@20minutes/s3rver' {
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
