export default function Screen() { return <h1>orders/screens/my-orders</h1> }
