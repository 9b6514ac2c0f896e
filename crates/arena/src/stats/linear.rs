//! Small dense linear algebra: what Newton's method needs.

/// A square matrix, row by row.
#[derive(Clone, Debug)]
pub(crate) struct Matrix {
    pub size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    pub fn zero(size: usize) -> Self {
        Matrix { size, cells: vec![0.0; size * size] }
    }

    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    /// The Cholesky factor of a symmetric positive definite matrix; `None` if it is not one.
    pub fn cholesky(&self) -> Option<Cholesky> {
        let mut lower = Matrix::zero(self.size);
        for row in 0..self.size {
            for column in 0..=row {
                let mut rest = self.at(row, column);
                for k in 0..column {
                    rest -= lower.at(row, k) * lower.at(column, k);
                }
                let value = if row == column {
                    if rest.is_nan() || rest <= 0.0 {
                        return None;
                    }
                    rest.sqrt()
                } else {
                    rest / lower.at(column, column)
                };
                lower.add(row, column, value);
            }
        }
        Some(Cholesky(lower))
    }
}

/// A lower triangular matrix L that stands for L·Lᵀ.
pub(crate) struct Cholesky(Matrix);

impl Cholesky {
    /// The x with L·Lᵀ·x = `right`.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let (lower, size) = (&self.0, self.0.size);
        let mut x = right.to_vec();
        for row in 0..size {
            for k in 0..row {
                x[row] -= lower.at(row, k) * x[k];
            }
            x[row] /= lower.at(row, row);
        }
        for row in (0..size).rev() {
            for k in row + 1..size {
                x[row] -= lower.at(k, row) * x[k];
            }
            x[row] /= lower.at(row, row);
        }
        x
    }

    /// (L·Lᵀ)⁻¹.
    pub fn inverse(&self) -> Matrix {
        let size = self.0.size;
        let mut inverse = Matrix::zero(size);
        for column in 0..size {
            let mut unit = vec![0.0; size];
            unit[column] = 1.0;
            for (row, value) in self.solve(&unit).into_iter().enumerate() {
                inverse.add(row, column, value);
            }
        }
        inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_and_refuses() {
        let mut matrix = Matrix::zero(3);
        for (i, value) in [4.0, 2.0, 0.4, 2.0, 3.0, -1.0, 0.4, -1.0, 5.0].into_iter().enumerate() {
            matrix.add(i / 3, i % 3, value);
        }
        let cholesky = matrix.cholesky().expect("positive definite");
        let x = cholesky.solve(&[1.0, 2.0, 3.0]);
        for (row, right) in [1.0, 2.0, 3.0].into_iter().enumerate() {
            let product: f64 = (0..3).map(|k| matrix.at(row, k) * x[k]).sum();
            assert!((product - right).abs() < 1e-12);
        }
        let inverse = cholesky.inverse();
        let product: f64 = (0..3).map(|k| matrix.at(1, k) * inverse.at(k, 1)).sum();
        assert!((product - 1.0).abs() < 1e-12);
        matrix.add(2, 2, -10.0);
        assert!(matrix.cholesky().is_none());
    }
}
