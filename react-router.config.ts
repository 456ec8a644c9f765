import type { Config } from '@react-router/dev/config'

export default { appDirectory: 'store', ssr: true, routeDiscovery: { mode: 'initial' } } satisfies Config
