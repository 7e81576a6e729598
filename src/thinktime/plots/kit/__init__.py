"""What figures share: style, scales, labels, tables of bins. No figure kinds."""
