import { renewCertificates } from './renew.ts'

// `docker compose up` runs this program as its first step: `node local/src/certificates/main.ts
// FOLDER SERVER...`
const [folder, ...servers] = process.argv.slice(2)
if (folder === undefined || servers.length === 0) {
  process.stderr.write('Name the folder of the certificates, then each server\n')
  process.exit(2)
}
const renewed = await renewCertificates({ folder, servers, nowMs: Date.now() })
const lines = renewed.map((name) => `issued the certificate of ${name}\n`)
process.stdout.write(lines.join('') || 'all certificates are valid\n')
