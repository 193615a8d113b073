// joints/parts/ellipse.h: the distance and direction of a point of a plane from an ellipse.
#ifndef TNI_JOINTS_PARTS_ELLIPSE_H
#define TNI_JOINTS_PARTS_ELLIPSE_H

typedef struct tni_ellipse_distance {
    double inside;             // the distance, positive inside, negative outside
    double normal_y, normal_z; // outward, of unit length, at the nearest point of the ellipse
} tni_ellipse_distance;

// Measures the point (y, z) against (y / half_y)^2 + (z / half_z)^2 = 1. Both half axes are > 0.
tni_ellipse_distance tni_ellipse_measure(double half_y, double half_z, double y, double z);

#endif
