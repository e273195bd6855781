// The import rules of ARCHITECTURE.md. `local/src/boundaries.test.ts` adds one violation of each
// rule below and expects the check to report it.
const createSourcePattern = (folder) => `^${folder}/src/`

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'ledger-contracts-import-zod-only',
      severity: 'error',
      from: {
        path: createSourcePattern('ledger-service/contracts'),
        pathNot: '(^ledger-service/contracts/src/proof/|\\.test\\.ts$)',
      },
      to: { pathNot: '^(ledger-service/contracts/src/|node_modules/zod/)' },
    },
    {
      name: 'gateway-contracts-import-zod-and-ledger-contracts-only',
      severity: 'error',
      from: { path: createSourcePattern('api-gateway/contracts'), pathNot: '\\.test\\.ts$' },
      to: {
        pathNot: '^(api-gateway/contracts/src/|ledger-service/contracts/src/|node_modules/zod/)',
      },
    },
    {
      name: 'web-knows-gateway-contracts-only',
      severity: 'error',
      from: { path: createSourcePattern('web') },
      to: { path: '^(ledger-service|api-gateway/(src|testing)|migrations|local|e2e)/' },
    },
    {
      name: 'web-shared-imports-shared-only',
      severity: 'error',
      from: { path: '^web/src/shared/' },
      to: { path: '^web/src/(?!shared/)' },
    },
    {
      name: 'web-features-import-no-app',
      severity: 'error',
      from: { path: '^web/src/features/' },
      to: { path: '^web/src/(?!shared/|features/)' },
    },
    {
      name: 'web-features-meet-in-index',
      severity: 'error',
      from: { path: '^web/src/features/([^/]+)/' },
      to: { path: '^web/src/features/', pathNot: '^web/src/features/($1/|[^/]+/index\\.ts$)' },
    },
    {
      name: 'web-features-import-one-way',
      severity: 'error',
      scope: 'folder',
      from: { path: '^web/src/features/[^/]+$' },
      to: { circular: true },
    },
    {
      name: 'services-meet-in-contracts',
      severity: 'error',
      from: { path: '^ledger-service/(src|test)/' },
      to: {
        path: '^(api-gateway|web|local|e2e)/',
        pathNot: '^local/src/(free-port|postgres|repeated-read|test-database|time-limit)\\.ts$',
      },
    },
    {
      name: 'gateway-meets-ledger-in-contracts',
      severity: 'error',
      from: { path: '^api-gateway/(src|testing)/' },
      to: {
        path: '^(ledger-service/(src|test)|web|local|e2e)/',
        pathNot: '^local/src/(free-port|postgres|repeated-read|test-database|time-limit)\\.ts$',
      },
    },
    {
      name: 'service-kit-imports-no-workspace',
      severity: 'error',
      from: { path: createSourcePattern('service-kit') },
      to: { path: '^(ledger-service|api-gateway|web|migrations|local|e2e)/' },
    },
    {
      name: 'opentelemetry-only-in-its-tracer',
      severity: 'error',
      from: { pathNot: '^service-kit/src/tracing/otlp-tracer(\\.test)?\\.ts$' },
      to: { path: '^node_modules/@opentelemetry/' },
    },
    {
      name: 'opentelemetry-is-loaded-on-demand',
      severity: 'error',
      from: { pathNot: '\\.test\\.ts$' },
      to: {
        path: '^service-kit/src/tracing/otlp-tracer\\.ts$',
        dependencyTypesNot: ['dynamic-import'],
      },
    },
    {
      name: 'log-knows-no-rules',
      severity: 'error',
      from: { path: '^ledger-service/src/log/', pathNot: '\\.test\\.ts$' },
      to: { path: '^ledger-service/src/(domain|queries|proofs)/' },
    },
    {
      name: 'gateway-platform-imports-platform-only',
      severity: 'error',
      from: { path: '^api-gateway/src/platform/', pathNot: '\\.test\\.ts$' },
      to: { path: '^api-gateway/(src/(?!platform/)|testing/)' },
    },
    {
      name: 'gateway-features-import-features-and-platform-only',
      severity: 'error',
      from: { path: '^api-gateway/src/features/', pathNot: '\\.test\\.ts$' },
      to: { path: '^api-gateway/(src/(?!features/|platform/)|testing/)' },
    },
    {
      name: 'gateway-features-meet-in-their-index',
      severity: 'error',
      from: { path: '^api-gateway/src/features/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^api-gateway/src/features/',
        pathNot: '^api-gateway/src/features/($1/|[^/]+/index\\.ts$)',
      },
    },
    {
      name: 'domain-does-no-io',
      severity: 'error',
      from: { path: '^ledger-service/src/domain/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core', 'npm'], pathNot: '^node_modules/zod/' },
    },
    {
      name: 'domain-imports-domain-and-log-only',
      severity: 'error',
      from: { path: '^ledger-service/src/domain/', pathNot: '\\.test\\.ts$' },
      to: { path: '^ledger-service/src/(?!domain/|log/)' },
    },
    {
      name: 'product-imports-no-test-support',
      severity: 'error',
      from: { path: '^(ledger-service|api-gateway)/src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(ledger-service/test|api-gateway/testing)/' },
    },
    {
      name: 'proofs-import-noble-only',
      severity: 'error',
      from: { path: '^ledger-service/contracts/src/proof/', pathNot: '\\.test\\.ts$' },
      to: {
        pathNot: '^(ledger-service/contracts/src/proof/|node_modules/@noble/(curves|hashes)/)',
      },
    },
    {
      name: 'nothing-unresolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|\\.data|planted-violations)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
  },
}
