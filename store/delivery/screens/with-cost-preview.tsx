import { Outlet } from 'react-router'
import { CostPreviewSection } from './cost-preview-section.tsx'

/** For the pages Tax and Delivery: both show what a basket costs, and place it themselves (`useOutletContext`). */
export default function WithCostPreview() {
  return <Outlet context={<CostPreviewSection />} />
}
