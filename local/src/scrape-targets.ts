import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment } from './environment.ts'
import { getGatewayAddress, type PartSpec } from './parts.ts'

/**
 * Writes the addresses of the metrics to `DATA_DIR/metrics-targets.json`, in the format of Prometheus
 * for `file_sd_configs`, because the inner ports change with each start.
 */
export async function writeScrapeTargets(
  environment: Environment,
  specs: readonly PartSpec[],
): Promise<void> {
  const gateway = getGatewayAddress(environment)
  const targets = specs
    .filter(({ name }) => name !== 'mail')
    .map(({ name, healthUrl }) => ({
      targets: [new URL(name === 'gateway' ? gateway : healthUrl).host],
      labels: { job: `cairn-${name}` },
    }))
  const file = join(environment.dataDir, 'metrics-targets.json')
  await writeFile(file, `${JSON.stringify(targets, null, 2)}\n`)
}
